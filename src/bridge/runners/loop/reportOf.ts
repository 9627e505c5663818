/** The report in the input of `finish`; null when there is none, and the call is no end then. */
export function reportOf(input: Readonly<Record<string, unknown>> | null): string | null {
  const report = input?.['report'];
  return typeof report === 'string' && report.trim() !== '' ? report : null;
}
