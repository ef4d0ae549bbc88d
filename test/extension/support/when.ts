/** Context keys of a window. A key that is absent is undefined, as in the editor. */
export type Keys = Readonly<Record<string, string | number | boolean>>;

/** Whether a `when` clause of `package.json` is true. It knows the operators that our clauses use. */
export function isTrue(clause: string, keys: Keys): boolean {
  return split(clause, "||").some((some) => split(some, "&&").every((each) => isTermTrue(each, keys)));
}

function isTermTrue(term: string, keys: Keys): boolean {
  if (term.startsWith("(") && term.endsWith(")")) return isTrue(term.slice(1, -1), keys);
  if (term.startsWith("!")) return !isTermTrue(term.slice(1).trim(), keys);
  const [, key, operator, value] =
    /^(?<key>[\w.]+)(?: (?<operator>==|!=|=~) (?<value>.+))?$/u.exec(term) ?? [];
  if (key === undefined) throw new Error(`This clause is not understood: ${term}`);
  if (key === "true" || key === "false") return key === "true";
  const known = keys[key];
  if (operator === undefined || value === undefined) return Boolean(known);
  if (operator === "=~")
    return new RegExp(value.slice(1, value.lastIndexOf("/")), "u").test(String(known ?? ""));
  return (String(known ?? "") === value) === (operator === "==");
}

/** The parts between operators that are in no parentheses and no pattern. */
function split(clause: string, operator: "&&" | "||"): string[] {
  const parts: string[] = [];
  let [depth, begin, isPattern] = [0, 0, false];
  for (let index = 0; index < clause.length; index += 1) {
    const letter = clause[index];
    if (letter === "\\") index += 1;
    else if (letter === "/") isPattern = !isPattern;
    else if (!isPattern && letter === "(") depth += 1;
    else if (!isPattern && letter === ")") depth -= 1;
    else if (!isPattern && depth === 0 && clause.startsWith(operator, index)) {
      parts.push(clause.slice(begin, index));
      begin = index + operator.length;
    }
  }
  return [...parts, clause.slice(begin)].map((part) => part.trim());
}
