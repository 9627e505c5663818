import '../zodWithoutEval.ts';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-textarea/index.js';
import { JobPage } from './jobPage.ts';

new JobPage(acquireVsCodeApi(), document.body.dataset['jobId'] ?? '').start();
