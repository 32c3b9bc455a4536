/** What `work` resolves to, or what `onTimeout` returns or throws if that takes longer; the work itself goes on. */
export async function withTimeout<T, L>(work: Promise<T>, ms: number, onTimeout: () => L): Promise<T | L> {
  if (ms === Number.POSITIVE_INFINITY) return work;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  }).then(onTimeout);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
