import { visibleText } from '../../parts/text.js';
import type { SourceProblem } from './query-api.js';

interface Props {
  readonly id: string;
  readonly problems: readonly SourceProblem[];
  readonly onGo: (problem: SourceProblem) => void;
  readonly onFix: (problem: SourceProblem) => void;
}

export function ProblemList({ id, problems, onGo, onFix }: Props) {
  return (
    <div id={id} class="code-problems" role="status">
      <ul class="plain-list">
        {problems.map((problem) => {
          const { line, column, message, suggestion } = problem;
          return (
            <li key={`${line}:${column}:${message}`}>
              <button type="button" class="plain" onClick={() => onGo(problem)}>
                Line {line}, column {column}
              </button>{' '}
              {visibleText(message)}
              {suggestion !== undefined && (
                <>
                  {' '}
                  <button type="button" class="plain" onClick={() => onFix(problem)}>
                    Use {visibleText(suggestion)}
                  </button>
                </>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
