/** Makes every call even if others throw, then throws all errors together. */
export function callAll(calls: Iterable<() => void>, failure: string): void {
  const errors: unknown[] = [];
  for (const call of calls) {
    try {
      call();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, failure);
}
