/** Largest file that is shown in an editor, as VS Code's own limit for text. Without a schema beside it: VS Code's side reads it at activation. */
export const MAX_REVIEW_FILE_BYTES = 50 * 1024 * 1024;
