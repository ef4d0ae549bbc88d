import type { Sentence } from "./language.ts";

/** Enforces snake_case reasons such as `not_found`: any other is of type `never`, and does not compile. */
type Spelled<Reason extends string> = Reason extends `${string}-${string}` | `${string} ${string}`
  ? never
  : Reason;

/** An expected, named failure. `reason` is discriminated and in snake_case; `detail` names the thing. */
export interface Failure<Reason extends string = string> {
  readonly ok: false;
  readonly reason: Reason;
  readonly detail: Sentence;
}

/** Returned by the public functions of a room: a value, or a named failure. A throw is a bug. */
export type Result<Value, Reason extends string = string> =
  { readonly ok: true; readonly value: Value } | Failure<Reason>;

export function succeed<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

export function fail<Reason extends string>(reason: Spelled<Reason>, detail: Sentence): Failure<Reason> {
  return { ok: false, reason, detail };
}

export function errorText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

export interface FileProblem {
  readonly path: string;
  /** The system's error code, such as `EACCES`. */
  readonly reason: Sentence;
}

/**
 * Returns the system's code of an error from Node's own modules, such as `ENOENT`. Any other error is a bug, and rethrown.
 */
export function errorCode(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  throw error;
}

/** Returns for an error from Node's own modules, such as a missing file. Any other error is a bug, and rethrown. */
export function rethrowUnlessSystemError(error: unknown): void {
  errorCode(error);
}

/** A part that one feature gives to the other features of the same service. */
export class Provision<Part> {
  readonly #parts = new WeakMap<object, Part>();

  /** @param service what identifies the service; one process may run several */
  give(service: object, part: Part): Part {
    this.#parts.set(service, part);
    return part;
  }

  /** Returns undefined where no feature has given it. */
  of(service: object): Part | undefined {
    return this.#parts.get(service);
  }
}
