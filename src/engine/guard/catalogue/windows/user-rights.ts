import type { GuardRule } from "../../calls/rule.ts";

/** Rules on users, rights, logs and processes of Windows. */
export const userRightRules: readonly GuardRule[] = [
  {
    id: "windows-change-users",
    family: "safety",
    match: [
      { program: "net|net1", words: "user", count: [2, 9], text: "/add|/delete|/active|user \\S+ [^/\\s]" },
      { program: "net|net1", words: "user", flags: ["/add|/ADD"], count: [1, 9] },
      { program: "net|net1", words: "localgroup", text: "/add|/delete" },
      {
        program:
          "new-localuser|remove-localuser|add-localgroupmember|set-localuser|disable-localuser|remove-aduser|disable-adaccount|set-adaccountpassword",
        without: "-WhatIf",
      },
    ],
    message: "This adds or changes who may log in to the machine.",
    remedy: "Ask the user to do it, or run the program under the account that is there.",
    fires: [
      "cmd /c 'net user bob Hunter2! /add'",
      "PowerShell(net localgroup Administrators bob /add)",
      "PowerShell(New-LocalUser -Name bob)",
      "powershell -c 'net user administrator newpass'",
    ],
    passes: [
      "cmd /c 'net user'",
      "cmd /c 'net user ann'",
      "PowerShell(Get-LocalUser)",
      "cmd /c 'net start'",
      "cmd /c 'net localgroup'",
    ],
  },
  {
    id: "windows-schedule-task",
    family: "protect",
    match: [
      { program: "register-scheduledtask|register-scheduledjob|new-scheduledtask", without: "-WhatIf" },
      { program: "schtasks", words: "/create|/Create|/CREATE" },
      { program: "schtasks", text: "/delete\\b.*/tn \\*|/create\\b" },
      { program: "new-service", without: "-WhatIf" },
      { program: "sc", words: "create|delete|config", via: "cmd|powershell|pwsh" },
    ],
    message: "This makes a program run by itself on the machine, or stops one from it.",
    remedy: "Tell the user what would run and when, and let them set it up.",
    fires: [
      "cmd /c 'schtasks /create /tn x /tr a.exe /sc onlogon'",
      "PowerShell(Register-ScheduledTask -TaskName x -Action $a)",
      "cmd /c 'sc create x binPath= C:\\a.exe'",
      "PowerShell(New-Service -Name x -BinaryPathName a.exe)",
    ],
    passes: [
      "cmd /c 'schtasks /query'",
      "PowerShell(Get-ScheduledTask)",
      "cmd /c 'sc query'",
      "PowerShell(Get-Service)",
      "echo schtasks",
    ],
  },
  {
    id: "windows-take-ownership",
    family: "safety",
    match: [
      {
        program: "takeown",
        text: "/f\\s+\\W*(?:[a-z]:\\\\?(?:\\s|$|windows|program files|users(?:\\s|$|\\\\?\\s)))|/f\\s+\\W*c:\\\\windows",
      },
      {
        program: "icacls|cacls|xcacls",
        operand: { path: "root|system|home" },
        text: "/grant|/reset|/setowner|/inheritance|/remove|/deny|/restore",
      },
      { program: "icacls", text: "everyone:\\(?(?:[a-z]+\\)\\()*f\\b", flags: ["/t|/T"] },
      { program: "set-acl", operand: { path: "root|system|home" } },
      { program: "set-acl", value: { of: "-Path", path: "root|system|home" } },
      { program: "attrib", operand: { path: "root|system" }, text: "[-+][rsh]" },
    ],
    message: "This changes who owns or may change files of the operating system.",
    remedy: "Change the rights of the project's folder alone.",
    fires: [
      "cmd /c 'takeown /f C:\\Windows /r /d y'",
      "PowerShell(icacls C:\\ /grant Everyone:F /T)",
      "powershell -c 'icacls C:\\Windows\\System32 /reset /t'",
    ],
    passes: [
      "cmd /c 'icacls C:\\work\\app'",
      "PowerShell(icacls .\\data /grant ann:R)",
      "PowerShell(Get-Acl C:\\Windows)",
      "cmd /c 'takeown /f C:\\work\\app\\dist'",
    ],
  },
  {
    id: "windows-clear-logs",
    family: "safety",
    match: [
      { program: "wevtutil", words: "cl|clear-log" },
      { program: "clear-eventlog|remove-eventlog", without: "-WhatIf" },
      { program: "fsutil", words: "usn deletejournal" },
      { program: "auditpol", text: "/clear|/remove|/success:disable" },
      { program: "clear-history", flags: ["-Force"] },
    ],
    message: "This deletes the machine's logs, which show what was done on it.",
    remedy: "Leave them, and read the part that you need.",
    fires: [
      "cmd /c 'wevtutil cl System'",
      "PowerShell(Clear-EventLog -LogName Application)",
      "PowerShell(wevtutil el | ForEach-Object { wevtutil cl $_ })",
      "powershell -c 'fsutil usn deletejournal /d C:'",
    ],
    passes: [
      "cmd /c 'wevtutil el'",
      "PowerShell(Get-EventLog -LogName System -Newest 20)",
      "PowerShell(Clear-Host)",
      "echo wevtutil cl",
    ],
  },
  {
    id: "windows-kill-system",
    family: "safety",
    match: [
      {
        program: "taskkill",
        text: "/im\\s+\\W*(?:\\*|explorer|lsass|csrss|wininit|winlogon|svchost|services|dwm|smss)",
      },
      {
        program: "stop-process",
        operand: { like: "(?i)\\*|lsass|csrss|wininit|winlogon|svchost|services|explorer" },
      },
      {
        program: "stop-process",
        value: {
          of: "-Name|-ProcessName",
          like: "(?i)\\*|lsass|csrss|wininit|winlogon|svchost|services|explorer",
        },
      },
      { program: "wmic", words: "process", text: "(?:call terminate|delete)", notText: "where" },
    ],
    message: "This ends programs that Windows or the user's session needs.",
    remedy: "End the one process by its number, with `Stop-Process -Id`.",
    fires: [
      "cmd /c 'taskkill /f /im *'",
      "PowerShell(Stop-Process -Name explorer -Force)",
      "PowerShell(taskkill /F /IM svchost.exe)",
    ],
    passes: [
      "cmd /c 'taskkill /pid 4711 /f'",
      "PowerShell(Stop-Process -Id 4711)",
      "PowerShell(Get-Process node | Stop-Process)",
      "PowerShell(taskkill /IM notepad.exe)",
    ],
  },
  {
    id: "windows-open-remote-login",
    family: "safety",
    match: [
      { program: "enable-psremoting|enable-windowsoptionalfeature", text: "-force|telnet|smb1" },
      { program: "set-item", text: "trustedhosts\\W+\\*|wsman:\\\\localhost\\\\client\\\\trustedhosts.*\\*" },
      { program: "winrm", words: "quickconfig|qc", flags: ["-q|-quiet|-force"] },
      {
        program: "reg|set-itemproperty",
        text: "fdenytsconnections.*\\b0\\b|limitblankpassworduse.*\\b0\\b|enablelua.*\\b0\\b",
      },
      { program: "new-smbshare", text: "everyone" },
      { program: "net", words: "share", text: "/grant:\\W*everyone" },
    ],
    message: "This lets others log in to the machine, or takes away the question before they do.",
    remedy: "Ask the user, and open it for the one machine and user that is meant.",
    fires: [
      "PowerShell(Enable-PSRemoting -Force)",
      "PowerShell(Set-Item WSMan:\\localhost\\Client\\TrustedHosts -Value *)",
      "cmd /c 'net share c=C:\\ /grant:everyone,FULL'",
      "PowerShell(Set-ItemProperty -Path 'HKLM:\\System\\CurrentControlSet\\Control\\Terminal Server' -Name fDenyTSConnections -Value 0)",
    ],
    passes: [
      "PowerShell(Test-WSMan)",
      "PowerShell(Get-Item WSMan:\\localhost\\Client\\TrustedHosts)",
      "cmd /c 'net share'",
      "PowerShell(Get-SmbShare)",
    ],
  },
];
