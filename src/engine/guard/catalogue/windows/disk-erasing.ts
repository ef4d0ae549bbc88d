import type { GuardRule } from "../../calls/rule.ts";

const recursive = "-Recurse|-r|-Force";

/** Folders that a build makes again. */
const product =
  "[\\\\/](?:node_modules|dist|build|out|bin|obj|target|coverage|\\.next|\\.venv|__pycache__|te?mp)(?:[\\\\/\\s]|$)";

/** Rules on deleting files and disks on Windows. */
export const diskErasingRules: readonly GuardRule[] = [
  {
    id: "windows-delete-drive",
    family: "safety",
    match: [
      { program: "remove-item|clear-content", operand: { path: "root|maybe-root" } },
      { program: "remove-item", value: { of: "-Path|-LiteralPath", path: "root|maybe-root" } },
      { program: "rd|rmdir|del|erase|deltree", operand: { path: "root" }, via: "cmd|powershell|pwsh|wsl" },
      { program: "rd|del|erase|deltree", operand: { path: "root" }, flags: ["/s|/S"] },
    ],
    message: "This deletes everything on the drive.",
    remedy: "Name the folder that you mean, below the project.",
    fires: [
      "PowerShell(Remove-Item -Recurse -Force C:\\)",
      "cmd /c 'rd /s /q C:\\'",
      "PowerShell(rm -r -fo C:\\*)",
      "pwsh -Command 'Remove-Item -Path D:\\* -Recurse -Force'",
      "powershell.exe -c 'del /s /q C:\\*'",
    ],
    passes: [
      "PowerShell(Remove-Item -Recurse -Force .\\dist)",
      "PowerShell(Get-ChildItem C:\\)",
      "cmd /c 'rd /s /q build'",
      "PowerShell(Write-Output 'Remove-Item -Recurse C:\\')",
      "cmd /c 'dir C:\\'",
    ],
  },
  {
    id: "windows-delete-home",
    family: "safety",
    match: [
      {
        program: "remove-item",
        operand: { path: "home|home-entry|above-project|system" },
        flags: [recursive],
        without: "-WhatIf",
      },
      {
        program: "remove-item",
        value: { of: "-Path|-LiteralPath", path: "home|home-entry|above-project|system" },
        flags: [recursive],
        without: "-WhatIf",
      },
      {
        program: "rd|rmdir|del|erase",
        operand: { path: "home|home-entry|above-project|system" },
        flags: ["/s|/S"],
      },
      {
        program: "rd|rmdir|del|erase",
        operand: { path: "outside", like: "[A-Za-z]:[\\\\/].+" },
        flags: ["/s|/S"],
        notText: product,
      },
      {
        program: "del|erase",
        operand: { path: "outside", like: "[A-Za-z]:[\\\\/](?:.*[\\\\/])?\\*(?:\\.\\*)?" },
      },
    ],
    message: "This deletes a user's files, or files of the operating system, past the recycle bin.",
    remedy: "Name the one folder below the project, and look at it first with `-WhatIf`.",
    fires: [
      "PowerShell(Remove-Item -Recurse -Force $env:USERPROFILE)",
      "PowerShell(rm -r -fo ~/*)",
      "cmd /c 'rd /s /q C:\\Users\\ann'",
      "pwsh -c 'ri -Recurse -Force C:\\Windows\\System32'",
    ],
    passes: [
      "PowerShell(Remove-Item -Recurse -Force node_modules)",
      "PowerShell(Remove-Item a.txt)",
      "PowerShell(Remove-Item -Recurse $env:TEMP\\build)",
      "cmd /c 'rd /s /q C:\\work\\app\\dist'",
      "PowerShell(Get-ChildItem -Recurse C:\\Users\\ann)",
    ],
  },
  {
    id: "windows-delete-project",
    family: "safety",
    match: [
      {
        program: "remove-item",
        operand: { path: "project|everything-here|repository" },
        flags: ["-Recurse|-r"],
        without: "-WhatIf|-Include|-Filter",
      },
      { program: "rd|rmdir", operand: { path: "project|everything-here|repository" }, flags: ["/s|/S"] },
      {
        program: "del|erase",
        operand: { path: "project|everything-here", like: "(?:\\.|\\*|\\*\\.\\*|\\.\\\\\\*)" },
        flags: ["/s|/S"],
      },
    ],
    message: "This deletes the whole project, or its history.",
    remedy: "Name the folders that can be built again, or use `git clean -nxd` to see what it would be.",
    fires: [
      "PowerShell(Remove-Item -Recurse -Force *)",
      "PowerShell(Get-ChildItem -Recurse | Remove-Item -Recurse -Force)",
      "PowerShell(ls | rm -r)",
      "PowerShell(Get-ChildItem -Recurse | ForEach-Object { Remove-Item $_.FullName -Force })",
      "cmd /c 'for /d %i in (*) do rd /s /q %i'",
      "PowerShell(Remove-Item -Recurse -Force .git)",
      "cmd /c 'rd /s /q .'",
      "pwsh -c 'rm -r -fo ./*'",
    ],
    passes: [
      "PowerShell(Remove-Item -Recurse dist)",
      "PowerShell(Get-ChildItem dist | Remove-Item -Recurse -Force)",
      "PowerShell(Get-ChildItem -Recurse -Filter *.tmp | Remove-Item)",
      "cmd /c 'for /d %i in (dist\\*) do rd /s /q %i'",
      "PowerShell(Remove-Item * -Recurse -WhatIf)",
      "PowerShell(Remove-Item *.log)",
      "cmd /c 'del *.obj'",
      "PowerShell(Remove-Item -Recurse bin,obj)",
    ],
  },
  {
    id: "windows-delete-piped",
    family: "safety",
    match: [
      {
        program: "remove-item",
        from: "get-childitem",
        flags: ["-Recurse|-r"],
        operand: { path: "outside|repository", like: "[^\\x{FFFD}]*\\x{FFFD}" },
        without: "-WhatIf",
      },
      { program: "foreach-object", from: "get-childitem", text: "remove-item -recurse -force \\$_" },
      { program: "del|erase", flags: ["/s|/S", "/q|/Q"], operand: { like: "(?:.*\\\\)?\\*\\.\\*" } },
      { program: "forfiles", text: "/c.*\\b(?:del|rd)\\b", flags: ["/s|/S"] },
      {
        program: "robocopy",
        flags: ["/mir|/MIR|/Mir"],
        text: "(?:empty|[A-Z]:\\\\?\\s|nul)",
        without: "/l|/L",
      },
    ],
    message: "This deletes whatever was found, also in hidden and lower folders.",
    remedy: "Look at the list first, with `-WhatIf` at the end.",
    fires: [
      "PowerShell(gci C:\\work | rm -r -fo)",
      "cmd /c 'del /s /q *.*'",
      "PowerShell(robocopy C:\\empty C:\\work /MIR)",
    ],
    passes: [
      "PowerShell(Get-ChildItem *.tmp | Remove-Item)",
      "PowerShell(Get-ChildItem -Recurse | Remove-Item -Recurse -Force -WhatIf)",
      "PowerShell(gci -Recurse | Select-Object Name)",
      "PowerShell(robocopy src dst /E)",
      "cmd /c 'del /q a.obj'",
    ],
  },
  {
    id: "windows-format-disk",
    family: "safety",
    match: [
      { program: "format", operand: { like: "[A-Za-z]:\\\\?" } },
      {
        program:
          "format-volume|clear-disk|initialize-disk|remove-partition|new-partition|set-disk|reset-physicaldisk",
        without: "-WhatIf",
      },
      { program: "diskpart", without: "/?" },
      { program: "cipher", text: "(?:^|\\s)/w:" },
      { program: "sdelete|sdelete64", without: "-?|/?|-nobanner" },
    ],
    message: "This erases a disk or a partition.",
    remedy: "Ask the user, and list the disks with `Get-Disk` first.",
    fires: [
      "cmd /c 'format D: /q /y'",
      "PowerShell(Format-Volume -DriveLetter D)",
      "PowerShell(Clear-Disk -Number 1 -RemoveData -Confirm:$false)",
      "diskpart /s wipe.txt",
      "powershell -c 'diskpart'",
    ],
    passes: [
      "PowerShell(Get-Disk)",
      "npm run format",
      "cargo fmt",
      "PowerShell(Format-Table Name)",
      "PowerShell(Get-Volume | Format-List)",
      "cmd /c 'format /?'",
      "PowerShell(Format-Volume -DriveLetter D -WhatIf)",
    ],
  },
  {
    id: "windows-delete-backups",
    family: "safety",
    match: [
      { program: "vssadmin", words: "delete shadows|Delete Shadows|resize shadowstorage" },
      { program: "wmic", text: "shadowcopy\\s+delete|shadowcopy.*call\\s+delete" },
      {
        program: "wbadmin",
        words: "delete catalog|delete backup|delete systemstatebackup|DELETE SYSTEMSTATEBACKUP",
      },
      { program: "get-wmiobject|get-ciminstance", text: "win32_shadowcopy.*delete" },
      { program: "remove-ciminstance|remove-wmiobject", from: "get-ciminstance|get-wmiobject" },
      { program: "disable-computerrestore" },
    ],
    message: "This deletes the backups that Windows keeps, as ransomware does.",
    remedy: "Leave them; free room by Storage settings, and ask the user.",
    fires: [
      "cmd /c 'vssadmin delete shadows /all /quiet'",
      "PowerShell(wmic shadowcopy delete)",
      "powershell -c 'wbadmin delete catalog -quiet'",
      "PowerShell(Get-WmiObject Win32_ShadowCopy | Remove-WmiObject)",
    ],
    passes: [
      "cmd /c 'vssadmin list shadows'",
      "PowerShell(Get-CimInstance Win32_OperatingSystem)",
      "wbadmin get versions",
      "echo 'vssadmin delete shadows'",
      "PowerShell(Get-CimInstance Win32_Process | Select-Object Name)",
    ],
  },
  {
    id: "windows-empty-recycle-bin",
    family: "safety",
    match: [
      { program: "clear-recyclebin", without: "-WhatIf" },
      {
        program: "rd|rmdir|remove-item|del",
        operand: { like: "(?i)(?:[a-z]:)?\\\\?\\$?recycle\\.bin.*|.*\\$recycle\\.bin.*|.*recycle\\.bin.*" },
      },
    ],
    message: "This empties the recycle bin, from which deleted files can no longer be brought back.",
    remedy: "Leave it to the user.",
    fires: [
      "PowerShell(Clear-RecycleBin -Force)",
      "pwsh -c 'Clear-RecycleBin -DriveLetter C -Confirm:$false'",
      "cmd /c 'rd /s /q C:\\$Recycle.Bin'",
    ],
    passes: [
      "PowerShell(Clear-RecycleBin -WhatIf)",
      "PowerShell(Clear-Host)",
      "PowerShell(Clear-Variable x)",
      "grep -rn Clear-RecycleBin scripts",
    ],
  },
  {
    id: "windows-empty-file",
    family: "safety",
    action: "advise",
    match: [
      {
        program: "clear-content",
        operand: { path: "outside|repository|environment-file|startup" },
        place: "here",
      },
      {
        program: "set-content|out-file",
        operand: { path: "repository|environment-file" },
        without: "-Append|-NoClobber",
        place: "here",
      },
      {
        program: "set-content|out-file",
        value: { of: "-Path|-FilePath|-LiteralPath", path: "repository|environment-file|system" },
        place: "here",
      },
    ],
    message: "This empties or overwrites a file that no repository keeps.",
    remedy: "Use Add-Content, or keep a copy of the file first.",
    fires: [
      "PowerShell(Clear-Content C:\\data\\orders.csv)",
      "PowerShell(Set-Content .env 'A=1')",
      "pwsh -c 'Set-Content -Path .git/HEAD -Value x'",
    ],
    passes: [
      "PowerShell(Clear-Content out.txt)",
      "PowerShell(Add-Content .env 'A=1')",
      "PowerShell(Set-Content src/a.ts 'x')",
      "PowerShell(Get-Content README.md)",
    ],
  },
  {
    id: "windows-unregister-wsl",
    family: "safety",
    match: [
      { program: "wsl", flags: ["--unregister"] },
      { program: "wslconfig", flags: ["/u|/U|/unregister"] },
      { program: "wslconfig", operand: { like: "/unregister|/u" } },
      { program: "remove-vm|remove-vhd|dismount-vhd", without: "-WhatIf" },
      { program: "docker-machine", words: "rm", flags: ["-f|--force"] },
      { program: "multipass", words: "delete", flags: ["-p|--purge|--all"] },
      { program: "vagrant", words: "destroy", flags: ["-f|--force"] },
    ],
    message: "This deletes a whole Linux or virtual machine with everything in it.",
    remedy: "Export it first, with `wsl --export NAME FILE`, and ask the user.",
    fires: [
      "wsl --unregister Ubuntu",
      "PowerShell(wsl.exe --unregister Ubuntu-22.04)",
      "cmd /c 'wslconfig /u Ubuntu'",
      "PowerShell(Remove-VM -Name dev -Force)",
    ],
    passes: [
      "wsl --list --verbose",
      "wsl --shutdown",
      "wsl --export Ubuntu u.tar",
      "wsl -d Ubuntu ls",
      "PowerShell(Get-VM)",
    ],
  },
];
