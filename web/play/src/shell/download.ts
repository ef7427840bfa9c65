// Saves a text as a file of the reader.

/** Saves pieces of a text as one file. */
export function download(name: string, pieces: (string | Blob)[], type: string): void {
  const url = URL.createObjectURL(new Blob(pieces, { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers ask the user for a folder first, and read the file after the answer.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
