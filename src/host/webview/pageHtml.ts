interface PageHtmlOptions {
  readonly title: string;
  readonly cspSource: string;
  readonly nonce: string;
  readonly script: string;
  readonly style: string;
  readonly codicons: string;
  /** What the script finds in `document.body.dataset`, by attribute name without `data-`. */
  readonly data: Readonly<Record<string, string>>;
}

/**
 * An empty page: its script draws what it is told. Nothing of what it will show stands in this text, and nothing that is not in
 * dist/webview can be loaded or run.
 */
export function pageHtml(options: PageHtmlOptions): string {
  const { cspSource, nonce } = options;
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    `img-src ${cspSource}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const data = Object.entries(options.data).map(
    ([name, value]) => ` data-${name}="${escape(value)}"`,
  );
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(options.title)}</title>
<link rel="stylesheet" href="${escape(options.codicons)}" id="vscode-codicon-stylesheet">
<link rel="stylesheet" href="${escape(options.style)}">
</head>
<body${data.join('')}>
<script nonce="${escape(nonce)}" src="${escape(options.script)}"></script>
</body>
</html>
`;
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
