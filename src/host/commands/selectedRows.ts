/**
 * Between the jobs view and the commands, which do not know each other: the view sets the selected rows, which commands run by key
 * binding read; a command asks for the row of a job, which the view shows when it is visible, without taking the focus.
 */
export class SelectedRows {
  #rows: readonly unknown[] = [];
  #show: (jobId: string) => void = () => undefined;

  get rows(): readonly unknown[] {
    return this.#rows;
  }

  readonly set = (rows: readonly unknown[]): void => {
    this.#rows = rows;
  };

  /** For the view: how a row is shown. */
  onShow(show: (jobId: string) => void): void {
    this.#show = show;
  }

  show(jobId: string): void {
    this.#show(jobId);
  }
}
