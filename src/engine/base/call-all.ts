/** Makes every call, whatever the others do, and only then throws what they threw. */
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
