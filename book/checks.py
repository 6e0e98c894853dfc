def check_pages(root):
    return []
