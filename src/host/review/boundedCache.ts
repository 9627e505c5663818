/** Values by key, the least used dropped when they weigh more than `maxWeight` together. */
export class BoundedCache<Value> {
  readonly #maxWeight: number;
  readonly #entries = new Map<string, { readonly value: Value; readonly weight: number }>();
  #weight = 0;

  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // A map keeps the order of insertion: the front is what was not asked for longest.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value, weight: number): void {
    this.delete(key);
    if (weight > this.#maxWeight) return;
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#maxWeight) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
  }
}
