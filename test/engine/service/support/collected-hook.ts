import * as z from "zod";

/** The minimal fields of a hook, defined independently of the code under test. */
const head = z.object({
  session_id: z.string().min(1).max(256),
  hook_event_name: z.string().min(1).max(100),
});

/** Whether a body is a hook that must be recorded. */
export function collectedHook(body: Buffer): boolean {
  try {
    return head.safeParse(JSON.parse(body.toString("utf8"))).success;
  } catch {
    return false;
  }
}
