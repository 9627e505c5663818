/** Every limit that a job touches at the place where it would run. Sizes are those of the present configuration. */
export interface JobLimits {
  readonly pool: string;
  readonly poolSlots: number;
  readonly endpoint: string | null;
  readonly model: string;
  /** Jobs at once on the endpoint; null: no limit of ours. */
  readonly endpointLimit: number | null;
  /** Address that several entries of the configuration share, when they do: what runs there counts together. */
  readonly server: string | null;
  readonly serverLimit: number | null;
  readonly exclusiveGroup: string | null;
  /** This machine serves the endpoint and has less memory available than `memory_floor_gb` asks for. */
  readonly isMemoryShort: boolean;
}
