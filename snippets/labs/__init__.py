"""The labs: experiments on the trained translator."""
