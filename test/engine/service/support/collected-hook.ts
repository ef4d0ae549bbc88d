import * as z from "zod";

/** As much as makes a hook of a body, told apart from the code that is tested. */
const head = z.object({
  session_id: z.string().min(1).max(256),
  hook_event_name: z.string().min(1).max(100),
});

/** Whether a body is a hook that has to be recorded. */
export function collectedHook(body: Buffer): boolean {
  try {
    return head.safeParse(JSON.parse(body.toString("utf8"))).success;
  } catch {
    return false;
  }
}
