/** Where the picture of a failed test is put, below the project; git ignores the folder. */
export function failurePicture(title: string): string {
  return `.tmp/host-failures/${title.replaceAll(/[^\w]+/g, '-').slice(0, 100)}.png`;
}
