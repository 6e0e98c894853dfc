"""Exact expectations of polynomials in independent random variables."""

# --8<-- [start:imports]
import sympy
# --8<-- [end:imports]


# --8<-- [start:expectation]
def expectation(
    polynomial: sympy.Expr, variables: list[sympy.Symbol]
) -> sympy.Expr:
    """E[polynomial] of independent variables with mean 0 and variance 1.

    Independence turns the expectation of a monomial into a product of moments:
    E[x^a y^b] = E[x^a] E[y^b]. Moments above the second stay unknown symbols,
    so a result without them holds for every distribution.
    """
    known = {0: 1, 1: 0, 2: 1}  # E[x^0], E[x], E[x^2] = Var(x) + E[x]^2
    total = sympy.Integer(0)
    for powers, coefficient in sympy.Poly(polynomial, *variables).terms():
        for x, power in zip(variables, powers, strict=True):
            coefficient *= known.get(power, sympy.Symbol(f"E[{x}^{power}]"))
        total += coefficient
    return total
# --8<-- [end:expectation]
