/* eslint-disable no-control-regex -- control characters are what it looks for */
/** A path as it stands in an answer: as it is, or as a JSON text where a line break in it would pass for another line. */
export function showPath(path: string): string {
  return /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(path) || path !== path.trim()
    ? JSON.stringify(path)
    : path;
}
