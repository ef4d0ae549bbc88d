/** Whether a file's name suggests that agents read it on their own, so that the rent code should be loaded. */
export function isRentFile(path: string): boolean {
  if (/(?:^|[\\/])(?:CLAUDE(?:\.local)?\.md|\.purser[\\/]agents[\\/][^\\/]+\.md|AGENTS\.md)$/u.test(path))
    return true;
  const skill = path.replace(/[\\/]SKILL\.md$/u, "");
  if (skill !== path && /(?:^|[\\/])skills[\\/]./u.test(skill)) return true;
  return (
    path.endsWith(".md") &&
    /(?:^|[\\/])\.claude[\\/](?:rules|agents)[\\/]./u.test(path.slice(0, -".md".length))
  );
}

/** The same as glob patterns for the editor. */
export const rentPatterns = [
  "**/{CLAUDE,CLAUDE.local,AGENTS}.md",
  "**/.claude/{rules,agents}/**/*.md",
  "**/skills/**/SKILL.md",
  "**/.purser/agents/*.md",
];
