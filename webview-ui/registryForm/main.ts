import '../zodWithoutEval.ts';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import { FormPage } from './formPage.ts';

new FormPage(acquireVsCodeApi()).start();
