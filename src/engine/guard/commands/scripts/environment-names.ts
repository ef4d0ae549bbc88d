/** Names of environment variables in the code of many languages. */
const variables =
  /\b(?:process\.env\.|process\.env\[["']|os\.environ(?:\.(?=[A-Z_])|\[["'])|environ\.get\(["']|getenv\(["']|ENV\.(?=[A-Z_])|ENV\[["']|ENV\.fetch\(["']|env\.get\(["']|env\(["']|\$_ENV\[["']|\$ENV\{["']?)(\w{1,100})/gu;

/** Returns the names of the environment variables that code reads. */
export function variablesIn(code: string): readonly string[] {
  return [...code.matchAll(variables)].map(([, name = ""]) => name);
}
