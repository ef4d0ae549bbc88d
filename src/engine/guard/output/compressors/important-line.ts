/**
 * Words of lines that tell of an error, a warning or a failed test. A line that is left out only because of its place, such as an
 * excerpt, is kept where it has one of them.
 */
const important =
  /error|fail|fatal|panic|exception|warn|assert|expected|received|actual|denied|refused|rejected|cannot|could ?n.t|could not|unable|not found|no such|missing|invalid|unresolved|undefined|unexpected|killed|timed? ?out|abort|traceback|fault|vulnerab|conflict|deprecat|critical|unmet|err!|not ok|destroy|replace|back-?off|crashloop|evicted|pending|not ?ready|unhealthy|\boom|fehler|verweiger|fehlgeschlagen|warnung|ungültig|erreur|échec|échoué|avertissement|fallo|fallido|advertencia|errore|fallit|falha|erro\b|ошибк|отказ|предупрежд|エラー|失敗|警告|拒否|不足|错误|錯誤|失败|拒绝|오류|실패|경고|[✗✖×✕●❌⚠]/iu;

export function isImportant(line: string): boolean {
  return important.test(line);
}
