"""What a configuration checks when it is made, before anything is built from it."""


def check_fields(config: object, **fine: bool) -> None:
    """Raise ValueError, naming field and value, where a field is not fine."""
    for name, holds in fine.items():
        if not holds:
            value = getattr(config, name)
            raise ValueError(f"{name} cannot be {value!r} in {config}")
