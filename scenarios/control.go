package scenarios

// Control is the name of the plain success case: what every client must manage before anything is judged.
const Control = "plain-send"
