import { render } from 'preact';
import { ChatApp } from './chat-app.js';
import { followLook, reportSize } from './follow-host.js';
import { connect } from './host.js';
import { followTool } from './shown.js';
import { submitByEvent } from './submit-events.js';

followTool();
followLook();
submitByEvent();
const place = document.getElementById('app');
if (place !== null) render(<ChatApp />, place);
connect().then(reportSize);
