/** A name, and a colon after it, as in minutes and conversations. */
const label = /^([\p{L}\p{N}][\p{L}\p{N}\p{M} .'’-]{0,40}):\s/u;
const questionMark = /[?？؟]/u;
const endsInQuestion = /[?？؟]["'”’)\]\s]*$/u;

/** Who says it, or what it is about, if a text begins by naming that. */
export function speakerOf(text: string): string | undefined {
  return label.exec(text)?.[1];
}

/** Whether a text asks something, so that the next one may answer it. */
export function containsQuestion(text: string): boolean {
  return questionMark.test(text);
}

/** Whether the last thing a text does is to ask: then it hardly holds an answer. */
export function endsWithQuestion(text: string): boolean {
  return endsInQuestion.test(text);
}
