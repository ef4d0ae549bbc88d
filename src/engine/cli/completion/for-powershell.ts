import type { CommandNode } from "./completion-tree.ts";

/** For Windows PowerShell 5.1 and PowerShell 7. */
export function powershellScript(nodes: readonly CommandNode[]): string {
  return `# Completes purser in PowerShell. Load it with: purser completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName purser -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $nodes = @{
${nodes.map(nodeEntry).join("\n")}
    }
    $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
    $at = ''
    $next = 1
    while ($next -lt $words.Count) {
        $longer = ($at + ' ' + $words[$next]).Trim()
        if (-not $nodes.ContainsKey($longer)) { break }
        $at = $longer
        $next += 1
    }
    $node = $nodes[$at]
    $prev = $words[-1]
    $offered = @()
    if ($words.Count -gt 1 -and $node.values.ContainsKey($prev)) {
        $values = $node.values[$prev]
        if ($values -is [string]) {
            if ($values -eq '') { return }
            $offered = @(& $words[0] completion $values 2>$null)
        } else {
            $offered = $values
        }
    } elseif ($wordToComplete -like '-*') {
        $offered = $node.options
    } elseif ($next -eq $words.Count) {
        $offered = $node.first
        if ($node.argument -ne '') {
            $offered = @(& $words[0] completion $node.argument 2>$null)
        }
    }
    foreach ($each in $offered) {
        $text, $description = $each -split "\`t", 2
        if ($text -notlike "$wordToComplete*") { continue }
        if (-not $description) { $description = $text }
        [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $description)
    }
}
`;
}

/** PowerShell completes files and folders itself if nothing is offered. */
function nodeEntry({ path, subcommands, options, argument }: CommandNode): string {
  const values = options.flatMap(({ name, takesValue, choices, kind }) => {
    if (!takesValue || kind === "file" || kind === "folder") return [];
    const offered = choices.length > 0 ? `@(${choices.map(quoted).join(", ")})` : quoted(kind ?? "");
    return [`${quoted(`--${name}`)} = ${offered}`];
  });
  const kind = argument === "file" || argument === "folder" ? "" : (argument ?? "");
  const parts = [
    `first = @(${subcommands.map(({ name, description }) => pair(name, description)).join(", ")})`,
    `options = @(${options.map(({ name, description }) => pair(`--${name}`, description)).join(", ")})`,
    `values = @{ ${values.join("; ")} }`,
    `argument = ${quoted(kind)}`,
  ];
  return `        ${quoted(path)} = @{ ${parts.join("; ")} }`;
}

/** A name and its description with a tab between them, as purser prints them. */
function pair(name: string, description: string): string {
  return quoted(description === "" ? name : `${name}\t${description}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
