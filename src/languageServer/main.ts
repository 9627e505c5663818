// The process of the language server for models.yaml. It ends with the process that started it.
import { startLanguageServer } from './startLanguageServer.ts';

startLanguageServer();
