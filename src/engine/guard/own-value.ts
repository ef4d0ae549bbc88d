/**
 * Returns a table's value under a name from outside. The name may be one that every object has, such as
 * `constructor`.
 */
export function ownValue<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Returns a member of a value from outside; undefined if it is not an object. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
