/** The part of VS Code's LogOutputChannel that the bridge code uses, so that it can be tested without VS Code. */
export interface HostLog {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
