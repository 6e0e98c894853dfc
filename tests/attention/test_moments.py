"""What exact expectations mean: the average over every outcome, weighted by its probability."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from sympy import Rational

from snippets.attention.moments import expectation

X, Y, Z = VARIABLES = sympy.symbols("x y z")
# Two distributions of mean 0 and variance 1, as {value: probability}; the second is not symmetric.
SIGN = {-1: Rational(1, 2), 1: Rational(1, 2)}
SKEWED = {2: Rational(1, 5), -Rational(1, 2): Rational(4, 5)}

powers = st.tuples(*[st.integers(0, 4)] * 3)
polynomials = st.dictionaries(powers, st.integers(-9, 9), max_size=4).map(
    lambda terms: sum((c * X**a * Y**b * Z**d for (a, b, d), c in terms.items()), sympy.Integer(0))
)


def moment(variable, power):
    """The unknown moment as ``expectation`` names it."""
    return sympy.Symbol(f"E[{variable}^{power}]")


def known(distribution):
    """The value of each unknown moment if every variable has that distribution."""
    moments = {n: sum(p * value**n for value, p in distribution.items()) for n in range(3, 10)}
    return {moment(variable, n): value for variable in VARIABLES for n, value in moments.items()}


def enumerated(polynomial, distribution):
    """The expectation as a sum over all outcomes of three independent variables."""
    return sum(
        prod(distribution[value] for value in outcome)
        * polynomial.subs(dict(zip(VARIABLES, outcome, strict=True)), simultaneous=True)
        for outcome in product(distribution, repeat=3)
    )


def test_mean_is_zero_and_variance_is_one():
    assert expectation(X, [X]) == 0
    assert expectation(X**2, [X]) == 1
    assert expectation(sympy.Integer(7), [X]) == 7, "a constant is its own mean"
    assert expectation(sympy.Integer(0), [X]) == 0


def test_higher_moments_stay_unknown():
    assert expectation(X**3 - 2 * X**4 * Y**2, [X, Y]) == moment(X, 3) - 2 * moment(X, 4)


def test_independent_factors_have_the_product_of_their_means():
    assert expectation(X * Y, [X, Y]) == 0
    assert expectation(X**2 * Y**2, [X, Y]) == 1
    assert expectation(X**3 * Y**4, [X, Y]) == moment(X, 3) * moment(Y, 4)


def test_the_mean_of_a_sum_is_the_sum_of_the_means():
    a, b, c = sympy.symbols("a b c")
    assert expectation(a * X**2 + b * Y + c, [X, Y]) == a + c, "other symbols are constants"


@pytest.mark.parametrize("d_k", [1, 2, 3, 4])
def test_the_dot_product_has_mean_zero_and_variance_d_k_for_every_distribution(d_k):
    q, k = sympy.symbols(f"q1:{d_k + 1}"), sympy.symbols(f"k1:{d_k + 1}")
    score = sum(a * b for a, b in zip(q, k, strict=True))
    assert expectation(score, [*q, *k]) == 0
    variance = expectation(score**2, [*q, *k])
    assert variance == d_k, f"the variance of a dot product of {d_k} components is {variance}"
    assert expectation((score / sympy.sqrt(d_k)) ** 2, [*q, *k]) == 1, "divided by the root of d_k it is 1"


def test_fourth_moment_of_a_dot_product_of_two():
    q1, q2, k1, k2 = sympy.symbols("q1 q2 k1 k2")
    fourth = expectation((q1 * k1 + q2 * k2) ** 4, [q1, q2, k1, k2])
    assert str(fourth) == "E[k1^4]*E[q1^4] + E[k2^4]*E[q2^4] + 6"
    signs = dict.fromkeys(fourth.free_symbols, 1)  # every even moment of a sign is 1
    assert fourth.subs(signs) == 8, "q . k is 2 or -2 half of the time, else 0: 16 / 2"


@pytest.mark.parametrize("distribution", [SIGN, SKEWED], ids=["sign", "skewed"])
@given(polynomial=polynomials)
def test_it_is_the_average_over_every_outcome(distribution, polynomial):
    exact = expectation(polynomial, list(VARIABLES)).subs(known(distribution))
    assert exact == enumerated(polynomial, distribution)


@given(polynomials, polynomials, st.integers(-9, 9))
def test_expectation_is_linear(first, second, factor):
    both = expectation(first + factor * second, list(VARIABLES))
    separately = expectation(first, list(VARIABLES)) + factor * expectation(second, list(VARIABLES))
    assert sympy.expand(both - separately) == 0


@given(polynomials)
def test_the_order_of_the_variables_does_not_matter(polynomial):
    assert expectation(polynomial, [X, Y, Z]) == expectation(polynomial, [Z, X, Y])
