// npm sets the mode of a bin only when it installs a package; a checkout needs it too.
import { chmodSync } from 'node:fs';

chmodSync(new URL('../dist/cli/main.js', import.meta.url), 0o755);
