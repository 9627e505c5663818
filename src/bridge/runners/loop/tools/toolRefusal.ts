/** What a tool says when it will not or cannot do its work. The model is told the message; it never leaves the tool box. */
export class ToolRefusal extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ToolRefusal';
  }
}
