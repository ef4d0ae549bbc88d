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
