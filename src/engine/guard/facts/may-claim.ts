import type { ToolCall } from "../../hooks/event/tool-call.ts";

/** Programs with whose words anything is looked up. */
const programs =
  /(?:^|[\s;&|(/])(?:cat|tac|nl|head|tail|wc|less|more|stat|file|sort|(?:md5|sha1|sha256|sha512)sum|diff|cmp|sed|g?awk|[ef]?grep|rg|jq|ls|du|df|tree|cp|mv|rm|chmod|cd|pushd|source|\.|python3?|node|bash|sh|zsh|npm|pnpm|yarn|bun|g?make|just|task|git|cargo|curl|ln|mkdir|rsync|tar|tee|touch|tr|uniq|cut|wget|vitest|jest|pytest|py\.test|go)[\s"']|</u;

/** Whether a call may name something that is looked up: a quick look before any of it is read. */
export function mayClaim(call: ToolCall): boolean {
  if (call.kind === "command") return call.command !== null && programs.test(call.command);
  if (call.kind === "read") return call.file !== null;
  return call.kind === "edit" && (call.file !== null || call.text !== null);
}
