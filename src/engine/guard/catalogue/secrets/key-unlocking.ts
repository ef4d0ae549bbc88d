import type { GuardRule } from "../../calls/rule.ts";

/** Rules on keys and passwords that are unlocked, guessed or taken from memory. */
export const keyUnlockingRules: readonly GuardRule[] = [
  {
    id: "export-secret-key",
    family: "secrets",
    match: [
      { program: "gpg|gpg2", text: "--export-secret-(?:sub)?keys?\\b" },
      {
        program: "openssl",
        words: "rsa|ec|pkey|dsa|pkcs8",
        flags: ["-in"],
        without: "-pubout|-noout|-out|-check|-modulus|-help",
        shown: "part",
      },
      {
        program: "openssl",
        words: "pkcs12",
        flags: ["-nodes|-noenc"],
        without: "-nokeys|-export|-out",
        shown: "part",
      },
      { program: "tailscale", words: "cert", flags: ["--key-file=-"] },
      { program: "wg", words: "showconf", shown: "part" },
      { program: "wg", words: "show", operand: { like: "private-key|preshared-keys" }, shown: "part" },
    ],
    message: "This takes a private key out of its store, without protection.",
    remedy: "Export the public half, or let the program that needs the key use it in place.",
    fires: [
      "gpg --export-secret-keys ann@example.com",
      "sudo gpg -a --export-secret-key > /tmp/k",
      "openssl rsa -in server.key",
      "openssl pkcs12 -in a.p12 -nodes",
      "sudo wg showconf wg0",
    ],
    passes: [
      "gpg --export -a ann@example.com",
      "openssl rsa -in server.key -pubout",
      "openssl pkey -in k.pem -noout -check",
      "gpg --list-secret-keys",
      "openssl req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem",
    ],
  },
  {
    id: "remove-key-passphrase",
    family: "secrets",
    match: [
      { program: "ssh-keygen", flags: ["-p"], value: { of: "-N", like: "" } },
      {
        program: "openssl",
        words: "rsa|ec|pkey",
        flags: ["-passin", "-out"],
        without: "-aes256|-aes-256-cbc|-aes128|-des3|-pubout|-passout",
      },
    ],
    message: "This stores a private key without its passphrase, so that a copy of the file is enough.",
    remedy: "Keep the passphrase and load the key once with `ssh-add`.",
    fires: ["ssh-keygen -p -f ~/.ssh/id_rsa -N ''", "openssl rsa -passin pass:x -in a.key -out b.key"],
    passes: [
      "ssh-keygen -t ed25519 -N '' -f ./deploy_key",
      "ssh-keygen -p -f ~/.ssh/id_rsa",
      "openssl rsa -in a.key -pubout -out a.pub -passin env:P",
    ],
  },
  {
    id: "print-decrypted-secrets",
    family: "secrets",
    action: "advise",
    match: [
      {
        program: "sops",
        flags: ["-d|--decrypt"],
        without: "-i|--in-place|--output|--extract",
        shown: "whole",
      },
      { program: "sops", words: "decrypt", without: "-i|--in-place|--output|--extract", shown: "whole" },
      { program: "ansible-vault", words: "view", shown: "whole" },
      { program: "age|rage", flags: ["-d|--decrypt"], without: "-o|--output", shown: "whole" },
      { program: "gpg|gpg2", flags: ["-d|--decrypt"], without: "-o|--output", shown: "whole" },
      { program: "rails", words: "credentials:show", shown: "whole" },
      { program: "eyaml", words: "decrypt", shown: "whole" },
      { program: "dotenvx", words: "get|decrypt", count: [0, 0], shown: "whole" },
    ],
    message: "This prints secrets that are kept encrypted into the conversation.",
    remedy: "Decrypt straight into the program that needs them, such as with `sops exec-env`.",
    fires: [
      "sops -d secrets.enc.yaml",
      "ansible-vault view group_vars/prod.yml",
      "sudo gpg --decrypt pass.gpg",
      "rails credentials:show",
    ],
    passes: [
      "sops -d secrets.enc.yaml > /tmp/s.yaml",
      "sops exec-env secrets.yaml 'npm start'",
      "gpg --verify a.asc a.tgz",
      "ansible-vault encrypt x.yml",
      "sops -d s.yaml | kubectl apply -f -",
    ],
  },
  {
    id: "read-cloud-metadata-credentials",
    family: "secrets",
    match: [
      {
        program: "curl|wget|http|https|xh|invoke-restmethod|invoke-webrequest",
        text: "169\\.254\\.169\\.254\\S*(?:security-credentials|identity|user-data)|169\\.254\\.170\\.2|metadata\\.google\\.internal\\S*(?:token|identity)|fd00:ec2::254",
        shown: "part",
      },
    ],
    message: "This fetches the machine's own cloud credentials.",
    remedy: "Use the cloud's own command line, which takes them by itself.",
    fires: [
      "curl http://169.254.169.254/latest/meta-data/iam/security-credentials/app",
      "ssh web 'curl -s -H Metadata-Flavor:Google http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token'",
    ],
    passes: [
      "curl http://169.254.169.254/latest/meta-data/instance-id",
      "curl https://example.com/token",
      "grep -rn 169.254.169.254 src",
      "ping -c1 169.254.169.254",
    ],
  },
  {
    id: "dump-process-memory",
    family: "secrets",
    match: [
      { program: "gcore|procdump|procdump64|mimikatz|lsassy|pypykatz|lazagne|mimipenguin" },
      { program: "rundll32", text: "comsvcs\\.dll.*minidump" },
      { program: "cat|dd|strings|xxd", operand: { like: "(?:if=)?/proc/(?:\\d+|self)/mem" } },
      { program: "reg", words: "save", operand: { like: "(?i)hklm\\\\(?:sam|security|system)" } },
    ],
    message: "This takes passwords and keys out of the memory of other programs.",
    remedy: "Ask the user to do this by hand where it is really needed.",
    fires: [
      "sudo gcore -o /tmp/core 4711",
      "PowerShell(procdump -ma lsass.exe out.dmp)",
      "sudo strings /proc/4711/mem",
      "cmd /c 'reg save HKLM\\SAM sam.hive'",
    ],
    passes: [
      "cat /proc/4711/status",
      "cat /proc/meminfo",
      "gdb -p 4711",
      "man gcore",
      "node --heapsnapshot-signal=SIGUSR2 app.js",
    ],
  },
  {
    id: "crack-passwords",
    family: "secrets",
    match: [
      {
        program: "hashcat|john|hydra|medusa|ncrack|fcrackzip|aircrack-ng|patator|crowbar",
        without: "--help|-h|--version|--show|-V|--list|--example-hashes|--identify|-d",
      },
      { program: "unshadow" },
    ],
    message: "This tries out passwords, which is an attack unless its owner has agreed.",
    remedy: "Ask the user whether this is their own system, and let them start it.",
    fires: [
      "hydra -l root -P words.txt ssh://10.0.0.5",
      "sudo john --wordlist=w.txt hashes",
      "bash -c 'hashcat -m 0 h.txt w.txt'",
    ],
    passes: ["john --help", "hashcat --version", "grep -r hydra docs", "npm install hydra", "which john"],
  },
  {
    id: "capture-network-traffic",
    family: "secrets",
    action: "advise",
    match: [
      {
        program: "tcpdump|tshark|dumpcap|ngrep|mitmproxy|mitmdump|ettercap|bettercap",
        without: "-r|--version|--help|-D|--list-interfaces|-h|--read-file",
      },
    ],
    message: "This records network traffic, with the passwords and sessions in it.",
    remedy: "Log the requests of the one program, or record one port for a counted number of packets.",
    fires: ["sudo tcpdump -i any -w all.pcap", "mitmproxy -p 8080", "ssh web 'sudo tcpdump -A port 80'"],
    passes: [
      "tcpdump -r all.pcap",
      "tshark -r a.pcap -Y http",
      "tcpdump --version",
      "tshark -D",
      "man tcpdump",
    ],
  },
];
