// Asking the service, and reading its server-sent events.

/** A refusal to show: `message` is fit for the reader, `again` tells whether asking again may help. */
export class Refused extends Error {
  constructor(message, again) {
    super(message);
    this.again = again;
  }
}

/** Asks and hands each event to `on(name, data)`; raises Refused. */
export async function ask(endpoint, body, { language, signal, say, on }) {
  let reply;
  try {
    reply = await fetch(new URL('v1/ask', endpoint), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream', 'Accept-Language': language },
      body: JSON.stringify({ ...body, stream: true }),
      signal,
    });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Refused(say('offline'), true);
  }
  if (!reply.ok) throw await refusal(reply, say);
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let pending = '';
  let finished = false;
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const blocks = (pending + value).split('\n\n');
      pending = blocks.pop();
      for (const [name, data] of blocks.map(event).filter(Boolean)) {
        if (name === 'error') throw told(data, say);
        finished ||= name === 'answer';
        on(name, data);
      }
    }
  } catch (error) {
    if (error instanceof Refused || error.name === 'AbortError') throw error;
    throw new Refused(say('broken'), true);
  }
  if (!finished) throw new Refused(say('broken'), true);
}

function event(block) {
  let name = 'message';
  const data = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) name = line.slice(7);
    if (line.startsWith('data: ')) data.push(line.slice(6));
  }
  return data.length ? [name, JSON.parse(data.join('\n'))] : null;
}

async function refusal(reply, say) {
  if (reply.status === 429) return new Refused(say('wait', { n: reply.headers.get('Retry-After') ?? '60' }), true);
  const problem = await reply.json().catch(() => ({}));
  return told({ status: reply.status, ...problem }, say);
}

/** A problem document in words; of a fault of the service also the request's id. */
function told({ status, detail, instance }, say) {
  const text = typeof detail === 'string' ? detail : say('offline');
  const id = status >= 500 && typeof instance === 'string' ? ` (${instance.split(':').at(-1)})` : '';
  return new Refused(text + id, status >= 500);
}
