/**
 * Extracts the part of a summary reply that goes into the context. Agents discard the block of reasoning
 * before it.
 */
export function summaryIn(reply: string): string {
  const withoutThoughts = reply.replace(/<analysis>[\s\S]*?<\/analysis>/u, "");
  const start = withoutThoughts.indexOf("<summary>");
  if (start < 0) return withoutThoughts;
  const end = withoutThoughts.lastIndexOf("</summary>");
  return withoutThoughts.slice(start + "<summary>".length, end > start ? end : undefined);
}
