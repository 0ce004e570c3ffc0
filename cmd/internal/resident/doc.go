package resident
