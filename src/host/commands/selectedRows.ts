/** The rows that are selected in the jobs view. The view sets them; commands run by key binding read them. */
export class SelectedRows {
  #rows: readonly unknown[] = [];

  get rows(): readonly unknown[] {
    return this.#rows;
  }

  readonly set = (rows: readonly unknown[]): void => {
    this.#rows = rows;
  };
}
