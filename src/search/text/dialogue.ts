/** `Ann: ` as in minutes and conversations. */
const label = /^([\p{L}\p{N}][\p{L}\p{N}\p{M} .'’-]{0,40}):\s/u;
const questionMark = /[?？؟]/u;
const endsInQuestion = /[?？؟]["'”’)\]\s]*$/u;

export function speakerOf(text: string): string | undefined {
  return label.exec(text)?.[1];
}

export function containsQuestion(text: string): boolean {
  return questionMark.test(text);
}

export function endsWithQuestion(text: string): boolean {
  return endsInQuestion.test(text);
}
