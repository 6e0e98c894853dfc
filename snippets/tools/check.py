"""What a configuration checks when it is made, before anything is built from it."""


from snippets.tools.inputs import check_sizes


def check_fields(config: object, **fine: bool) -> None:
    """Raise ValueError, naming field and value, where a field is not fine, or its size is none."""
    check_sizes(config)
    for name, holds in fine.items():
        if not holds:
            value = getattr(config, name)
            raise ValueError(f"{name} cannot be {value!r} in {config}")
