import { runProgram } from "../../bench/processes.ts";
import { shellCommand } from "../../base/process.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { Clock } from "../../base/timing.ts";
import { sentence, compose } from "../../base/language.ts";

const maxDurationMs = 15 * 60_000;

/** In a shell, as its person would type it. Fails with the end of its output. */
export async function runTaskCheck(
  check: string,
  {
    cwd,
    env,
    signal,
    clock,
  }: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly signal: AbortSignal;
    readonly clock: Clock;
  },
): Promise<Result<null, "check_failed">> {
  const known = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const { how, exitCode, output } = await runProgram({
    ...shellCommand(check, process.platform),
    cwd,
    env: Object.fromEntries(known),
    timeout: maxDurationMs,
    signal,
    clock,
  });
  if (how === "exit" && exitCode === 0) return succeed(null);
  const what =
    how === "timeout"
      ? sentence("its check did not end within {0} minutes", maxDurationMs / 60_000)
      : how === "cancelled"
        ? sentence("its check was cancelled")
        : how === "not-started"
          ? sentence("its check could not be started")
          : sentence("its check ended with exit code {0}", exitCode ?? "none");
  const lastOutput = output.trim().slice(-1500);
  return fail("check_failed", lastOutput === "" ? what : compose`${what}: ${lastOutput}`);
}
