/**
 * The folder of the sample that this service serves: `PURSER_SAMPLE`, or undefined. It is the user's home folder as far as the service knows,
 * and such a service runs no job.
 */
export function sampleFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const folder = env["PURSER_SAMPLE"] ?? "";
  return folder === "" ? undefined : folder;
}
