/* The switch of the load, and the command with the place where this server really is. */

const button = document.getElementById('load');
const words = document.getElementById('load-state');

function show(load) {
  button.disabled = load.port === null;
  button.setAttribute('aria-checked', String(load.running));
  button.textContent = load.running ? 'Stop the load' : 'Generate load';
  words.textContent = load.running
    ? `${load.ended.toLocaleString('en')} calls so far; ends by itself in ${load.secondsLeft} s`
    : load.port === null ? 'The gRPC server listens on no TCP port, so that it cannot be called.' : 'No load';
  for (const place of document.querySelectorAll('.port')) {
    place.textContent = load.port ?? 'none';
  }
}

async function ask(method) {
  try {
    const response = await fetch('load', { method });
    if (!response.ok) {
      throw new Error(`status ${response.status}`);
    }
    show(await response.json());
  }
  catch (failure) {
    button.disabled = true;
    words.textContent = `The application does not answer (${failure.message})`;
  }
}

button.addEventListener('click', () => ask(button.getAttribute('aria-checked') === 'true' ? 'DELETE' : 'PUT'));

for (const place of document.querySelectorAll('.host')) {
  place.textContent = location.hostname;
}

ask('GET');
setInterval(() => document.hidden || ask('GET'), 1000);
