/** Value of an expression of numbers, + - * / and parentheses; undefined where it is none, or divides by zero. */
export function calculate(expression: string): number | undefined {
  const tokens = expression.match(/\d+(?:\.\d+)?|[-+*/()]|\S/g) ?? [];
  let place = 0;
  const take = (...wanted: readonly string[]): string | undefined =>
    wanted.includes(tokens[place] ?? "") ? tokens[place++] : undefined;

  function sum(): number {
    let value = product();
    for (let sign = take("+", "-"); sign !== undefined; sign = take("+", "-")) {
      value += sign === "+" ? product() : -product();
    }
    return value;
  }

  function product(): number {
    let value = factor();
    for (let sign = take("*", "/"); sign !== undefined; sign = take("*", "/")) {
      const next = factor();
      value = sign === "*" ? value * next : value / next;
    }
    return value;
  }

  function factor(): number {
    if (take("-") !== undefined) return -factor();
    if (take("(") !== undefined) {
      const value = sum();
      return take(")") === undefined ? Number.NaN : value;
    }
    const token = tokens[place++];
    return token !== undefined && /^\d/.test(token) ? Number(token) : Number.NaN;
  }

  const value = sum();
  return place === tokens.length && Number.isFinite(value) ? value : undefined;
}
