/** Up to this many numbers, insertion is quicker than any other sort. */
const few = 64;

/** Returns numbers in rising order. Statistics sort many thousand short lists at each look. */
export function sorted(values: ArrayLike<number>): Float64Array | number[] {
  if (values.length > few) return new Float64Array(values).sort();
  const found: number[] = [];
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? 0;
    let place = index;
    for (; place > 0 && (found[place - 1] ?? 0) > value; place -= 1) found[place] = found[place - 1] ?? 0;
    found[place] = value;
  }
  return found;
}
