const folder =
  /(?:^|\/)(?:node_modules|bower_components|\.git|\.hg|\.svn|dist|build|out|target|\.next|\.nuxt|\.cache|coverage|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.tox|\.venv|venv|site-packages|\.gradle|\.terraform|\.turbo|\.parcel-cache|htmlcov)(?:\/|$)/u;

const files =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|go\.sum|flake\.lock)$|\.(?:min\.js|min\.css|map|snap|pyc)$/u;

/** Whether a path lies in a folder that tools fill, or is a lock file or another file that tools write. */
export function generatedIn(path: string): boolean {
  return files.test(path) || generatedFolder(path);
}

/** Whether a folder on the path is one that tools fill. */
export function generatedFolder(path: string): boolean {
  return folder.test(path);
}
