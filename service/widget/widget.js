// The chat widget. In a page:
//   <script type="module" src="https://your-host/widget.js"></script>
//   <sizewright-chat lang="zh" mode="inline"></sizewright-chat>
// Everything else is loaded from beside this file; no framework, no third party.

import { SizewrightChat } from './widget/chat.js';

if (!customElements.get('sizewright-chat')) customElements.define('sizewright-chat', SizewrightChat);
