import fc from "fast-check";

/** A corruption of a hook's body that no agent should cause, and some have. */
type Mangle = (body: Buffer) => Buffer;

/** Replacement values. */
const strange = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1e308, "", [], {}, "\u0000", "\u202E\uFEFF", "__proto__"),
  fc.string({ unit: "binary", maxLength: 50 }),
  fc.jsonValue({ maxDepth: 2 }),
  fc.integer({ min: 1, max: 300_000 }).map((length) => "x".repeat(length)),
  fc.integer({ min: 1, max: 3000 }).map((depth) => nested(depth)),
);

/** Bodies that were corrupted a few times. */
export function mangledFrom(bodies: readonly Buffer[]): fc.Arbitrary<Buffer> {
  const manglings: readonly fc.Arbitrary<Mangle>[] = [
    // Truncated.
    fc.nat({ max: 4000 }).map((at) => (body) => body.subarray(0, at % (body.length + 1))),
    // A value of another type or size, or missing, at any depth.
    fc.tuple(fc.nat(), strange).map(
      ([at, value]) =>
        (body) =>
          replaced(body, at, value),
    ),
    fc.nat().map((at) => (body) => replaced(body, at, undefined)),
    // Invalid UTF-8.
    fc.tuple(fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 8 })).map(
      ([at, bytes]) =>
        (body) =>
          spliced(body, at % (body.length + 1), bytes),
    ),
    // A duplicate member.
    fc.tuple(fc.nat(), strange).map(
      ([at, value]) =>
        (body) =>
          doubled(body, at, value),
    ),
    // Two bodies in one, white space, or nothing.
    fc.constantFrom<Mangle>(
      (body) => Buffer.concat([body, body]),
      (body) => Buffer.concat([Buffer.from("\uFEFF \n"), body]),
      () => Buffer.alloc(0),
    ),
  ];
  return fc
    .tuple(fc.constantFrom(...bodies), fc.array(fc.oneof(...manglings), { minLength: 1, maxLength: 3 }))
    .map(([body, steps]) => steps.reduce((now, step) => step(now), body));
}

function nested(depth: number): unknown {
  let value: unknown = "deep";
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { of: value };
  return value;
}

/** Replaces one value; a body that is no longer an object stays as it is. */
function replaced(body: Buffer, at: number, value: unknown): Buffer {
  const known = read(body);
  if (known === undefined) return body;
  const places = placesIn(known);
  const place = places[at % Math.max(1, places.length)];
  if (place === undefined) return body;
  if (value === undefined) Reflect.deleteProperty(place.of, place.name);
  else Reflect.set(place.of, place.name, value);
  return Buffer.from(JSON.stringify(known));
}

function doubled(body: Buffer, at: number, value: unknown): Buffer {
  const known = read(body);
  if (known === undefined || Array.isArray(known)) return body;
  const names = Object.keys(known);
  const name = names[at % Math.max(1, names.length)] ?? "session_id";
  return Buffer.concat([
    Buffer.from(`{${JSON.stringify(name)}:${JSON.stringify(value)},`),
    body.subarray(body.indexOf("{") + 1),
  ]);
}

function spliced(body: Buffer, at: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([body.subarray(0, at), bytes, body.subarray(at)]);
}

function read(body: Buffer): object | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

interface Place {
  readonly of: object;
  readonly name: string;
}

/** Limited to the depth of real bodies, since earlier corruptions may have nested values. */
function placesIn(of: object, depth = 0): Place[] {
  if (depth > 4) return [];
  return Object.entries(of).flatMap(([name, value]: [string, unknown]) => [
    { of, name },
    ...(typeof value === "object" && value !== null ? placesIn(value, depth + 1) : []),
  ]);
}
