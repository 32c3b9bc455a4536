import { dismiss, toasts, undoToast } from '../state/toasts.js';

/** What just happened, with a way back. */
export function ToastList() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((toast) => (
        <div key={toast.id} class={toast.isProblem ? 'toast problem' : 'toast'}>
          <span>{toast.text}</span>
          {toast.undoes !== undefined && (
            <button type="button" onClick={() => undoToast(toast)}>
              Undo
            </button>
          )}
          <button type="button" class="plain" aria-label="Dismiss" onClick={() => dismiss(toast.id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
