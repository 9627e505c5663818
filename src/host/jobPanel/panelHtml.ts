interface PanelHtmlOptions {
  readonly cspSource: string;
  readonly nonce: string;
  readonly script: string;
  readonly style: string;
  readonly codicons: string;
  readonly jobId: string;
}

/**
 * The page of a job, empty: its script draws what it is told. Nothing of a job stands in this text but its id, and nothing that is not
 * in dist/webview can be loaded or run.
 */
export function panelHtml(options: PanelHtmlOptions): string {
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
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Job</title>
<link rel="stylesheet" href="${escape(options.codicons)}" id="vscode-codicon-stylesheet">
<link rel="stylesheet" href="${escape(options.style)}">
</head>
<body data-job-id="${escape(options.jobId)}">
<script nonce="${escape(nonce)}" src="${escape(options.script)}"></script>
</body>
</html>
`;
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
