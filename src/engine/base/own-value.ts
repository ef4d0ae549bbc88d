/** Returns what a table has under a name from outside, which may be one that every object has, such as `constructor`. */
export function ownValue<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
